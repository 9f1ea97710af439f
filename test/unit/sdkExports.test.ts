import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';

/** What `src/agent/wire` and `src/demo` use of the SDK at run time. A release that drops one fails here, by name. */
describe('the SDK', () => {
  it('has every export in use', async () => {
    const sdk = await import('@agentclientprotocol/sdk/unstable');
    assert.equal(typeof sdk.client, 'function');
    assert.equal(typeof sdk.agent, 'function');
    assert.equal(typeof sdk.ndJsonStream, 'function');
    assert.equal(typeof sdk.RequestError, 'function');
    assert.equal(typeof sdk.RequestError.methodNotFound, 'function');
    assert.equal(sdk.methods.client.session.requestPermission, 'session/request_permission');
    assert.equal(sdk.PROTOCOL_VERSION, 1);
  });

  it('is the version that the contract names', () => {
    const pinned = JSON.parse(readFileSync('package.json', 'utf8')) as { dependencies: Record<string, string> };
    const installed = JSON.parse(readFileSync('node_modules/@agentclientprotocol/sdk/package.json', 'utf8')) as {
      version: string;
      license: string;
    };
    assert.equal(installed.version, pinned.dependencies['@agentclientprotocol/sdk']);
    const contract = readFileSync('docs/acp-contract.md', 'utf8');
    assert.ok(contract.includes(`\`@agentclientprotocol/sdk\` ${installed.version}`));
    assert.ok(contract.includes(installed.license));
  });
});
