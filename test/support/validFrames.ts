/**
 * What a host sent, against the JSON Schemas of the SDK: parameters of its requests and notifications, and results of
 * its answers. Every fake agent of every ring is checked so when it is disposed of.
 */
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import type { Frame, RecordLine } from './fakeAgentScript.js';

type Definition = { readonly 'x-method'?: string };
type Schema = { readonly $defs: Readonly<Record<string, Definition>> };

type Schemas = {
  readonly params: ReadonlyMap<string, ValidateFunction>;
  readonly results: ReadonlyMap<string, ValidateFunction>;
  readonly error: ValidateFunction;
};

let compiled: Schemas | undefined;

function schemas(): Schemas {
  if (compiled === undefined) {
    const path = createRequire(import.meta.url).resolve('@agentclientprotocol/sdk/schema/v1/schema.json');
    const schema = JSON.parse(readFileSync(path, 'utf8')) as Schema;
    // Its own keywords are hints for generators; its formats are widths of numbers.
    const ajv = new Ajv2020({ strict: false, validateFormats: false });
    ajv.addSchema(schema, 'acp');
    const validator = (name: string): ValidateFunction => ajv.compile({ $ref: `acp#/$defs/${name}` });
    const named = (ending: RegExp): ReadonlyMap<string, ValidateFunction> =>
      new Map(
        Object.entries(schema.$defs).flatMap(([name, { 'x-method': method }]) =>
          method !== undefined && ending.test(name) ? [[method, validator(name)]] : [],
        ),
      );
    compiled = {
      params: named(/(Request|Notification)$/),
      results: named(/Response$/),
      error: validator('Error'),
    };
  }
  return compiled;
}

/** A sentence for each message of the host that the schemas do not allow; an unknown method is one too. */
export function invalidFrames(events: readonly RecordLine[]): readonly string[] {
  const asked = new Map<string, string>();
  const found: string[] = [];
  for (const line of events) {
    if (line.event === 'asked') {
      asked.set(JSON.stringify(line.id), line.method);
    } else if (line.event === 'received') {
      const problem = line.frame === null ? 'It is no JSON object.' : problemOf(line.frame, asked);
      if (problem !== undefined) {
        found.push(`${problem} ${line.line.slice(0, 500)}`);
      }
    }
  }
  return found;
}

function problemOf(frame: Frame, asked: ReadonlyMap<string, string>): string | undefined {
  const { params, results, error } = schemas();
  if (frame.jsonrpc !== '2.0') {
    return 'It is no JSON-RPC 2.0.';
  }
  if (frame.method !== undefined) {
    const check = params.get(frame.method);
    return check === undefined ? 'The method is not in the schema.' : failed(check, frame.params);
  }
  if ((frame.error === undefined) === (frame.result === undefined) || frame.id === undefined) {
    return 'It is neither a request nor an answer.';
  }
  if (frame.error !== undefined) {
    return failed(error, frame.error);
  }
  const check = results.get(asked.get(JSON.stringify(frame.id)) ?? '');
  return check === undefined ? undefined : failed(check, frame.result);
}

function failed(check: ValidateFunction, value: unknown): string | undefined {
  if (check(value)) {
    return undefined;
  }
  const [first] = check.errors ?? [];
  return `${first?.instancePath ?? ''} ${first?.message ?? 'is not valid'}:`;
}
