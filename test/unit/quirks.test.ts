import { deepStrictEqual } from 'node:assert/strict';
import { readInitialized } from '../../src/agent/handshake.js';
import { quirksOf } from '../../src/agent/quirks.js';

const advertised = { read: true, write: true, terminal: true };
const initialized = (name: string, version: string) =>
  readInitialized(
    { protocolVersion: 1, agentInfo: { name, version }, agentCapabilities: { loadSession: true } },
    advertised,
  );

describe('quirks of single agents', () => {
  it('oddity 15 oddity 21: belong to the versions they were seen in and near, and to nobody else', () => {
    for (const version of ['0.61.0', 'v0.61.0', '0.62.1-nightly.3', '0.9.0']) {
      deepStrictEqual(
        [...quirksOf({ name: 'gemini-cli', version })].sort(),
        ['loadIsBroken', 'missingFileIsEmpty', 'modeNewsIsText'],
        version,
      );
    }
    for (const version of ['1.0.0', '10.0.0', '', 'next', '0.61']) {
      deepStrictEqual([...quirksOf({ name: 'gemini-cli', version })], [], version);
    }
    deepStrictEqual([...quirksOf({ name: 'gemini-cli' })], []);
    deepStrictEqual([...quirksOf({ name: 'Gemini-CLI', version: '0.61.0' })], []);
    deepStrictEqual([...quirksOf(null)], []);
  });

  it('oddity 21: does not offer to load where loading destroys what it loads', () => {
    deepStrictEqual(initialized('gemini-cli', '0.61.0').can.load, false);
    deepStrictEqual(initialized('other', '0.61.0').can.load, true);
  });
});
