import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { Frame } from 'playwright-core';

export type Finding = { readonly rule: string; readonly impact: string; readonly nodes: readonly string[] };

const source = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

/** What axe finds in a frame, of the impacts serious and critical. */
export async function seriousFindings(frame: Frame): Promise<readonly Finding[]> {
  await frame.evaluate(source);
  const result = await frame.evaluate<{ readonly passed: number; readonly findings: readonly Finding[] }>(`
    axe.run(document).then(({ passes, violations }) => ({
      passed: passes.length,
      findings: violations
        .filter(({ impact }) => impact === 'serious' || impact === 'critical')
        .map(({ id, impact, nodes }) => ({
          rule: id,
          impact,
          nodes: nodes.map(({ html, failureSummary }) => html.slice(0, 200) + ' ' + failureSummary),
        })),
    }))`);
  if (result.passed < 10) {
    throw new Error(`axe looked at ${result.passed} rules only: the panel was not drawn, or axe did not run.`);
  }
  return result.findings;
}
