/** A smallest value that fits a JSON schema. */
import type { Schema } from './types.js';

const DEEPEST = 8;

/** What an agent requires and a step does not say is made up by this. References are looked up in `root`. */
export function sample(schema: Schema | undefined, root: Schema = schema ?? {}, depth = 0): unknown {
  if (schema === undefined || depth > DEEPEST) {
    return 'x';
  }
  if (schema.$ref !== undefined) {
    return sample(resolve(schema, root), root, depth + 1);
  }
  if ('const' in schema) {
    return schema.const;
  }
  if (schema.enum !== undefined) {
    return schema.enum[0];
  }
  if (schema.default !== undefined && schema.default !== null) {
    return schema.default;
  }
  const alternatives = schema.anyOf ?? schema.oneOf;
  if (alternatives !== undefined) {
    return sample(alternatives.find(({ type }) => type !== 'null') ?? alternatives[0], root, depth + 1);
  }
  switch (typeOf(schema)) {
    case 'object':
      return Object.fromEntries(
        (schema.required ?? []).map((name) => [name, sample(schema.properties?.[name], root, depth + 1)]),
      );
    case 'array':
      return (schema.minItems ?? 0) > 0 ? [sample(schema.items, root, depth + 1)] : [];
    case 'integer':
    case 'number':
      return schema.minimum ?? 1;
    case 'boolean':
      return false;
    default:
      return 'mock';
  }
}

/** Follows a reference to the definitions of `root`; any other schema is itself. */
export function resolve(schema: Schema, root: Schema): Schema {
  const name = schema.$ref?.split('/').pop();
  return name === undefined ? schema : ((root.$defs ?? root.definitions ?? {})[name] ?? {});
}

/** Lower case, because one of the APIs writes types in capitals. */
export function typeOf(schema: Schema): string {
  const named = typeof schema.type === 'string' ? schema.type : schema.type?.find((type) => type !== 'null');
  return (named ?? (schema.properties === undefined ? 'string' : 'object')).toLowerCase();
}
