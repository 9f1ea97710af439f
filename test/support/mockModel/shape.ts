/** Puts what a step says into the arguments that a tool's own schema asks for. */
import { resolve, sample, typeOf } from './sample.js';
import type { Args, Deed, PlanItem, Schema, Tool } from './types.js';

type Properties = Readonly<Record<string, Schema>>;

const PATHS = ['file_path', 'filePath', 'absolute_path', 'path', 'target_file', 'filename', 'file'];
const CONTENTS = ['content', 'file_text', 'file_content', 'contents', 'new_text', 'text'];
const OLD = ['old_string', 'oldString', 'old_str', 'old_text', 'oldText', 'old', 'search', 'old_str_1'];
const NEW = ['new_string', 'newString', 'new_str', 'new_text', 'newText', 'new', 'replace', 'new_str_1'];
const COMMANDS = ['command', 'cmd', 'commands', 'script'];
const PLANS = ['todos', 'plan', 'items', 'todo_list', 'todoList', 'tasks'];
const ITEM_TEXTS = ['content', 'step', 'title', 'description', 'text', 'name', 'activeForm'];

/** Everything required is there: what the step does not say is a sample of its schema. */
export function shapeArguments(action: NonNullable<Deed['do']>, deed: Deed, tool: Tool): Args {
  const schema = tool.schema ?? {};
  const properties = schema.properties ?? {};
  const required = (schema.required ?? []).map((name): [string, unknown] => [name, sample(properties[name], schema)]);
  return {
    ...Object.fromEntries(required),
    ...('description' in properties ? { description: `mock ${action}` } : {}),
    ...shapeAction(action, deed, properties, schema),
    ...deed.args,
  };
}

function shapeAction(action: NonNullable<Deed['do']>, deed: Deed, properties: Properties, schema: Schema): Args {
  switch (action) {
    case 'read':
    case 'list':
      return shapePath(properties, deed.path);
    case 'write':
      return {
        ...shapePath(properties, deed.path),
        ...under(CONTENTS, properties, deed.content),
        ...subcommand(properties, 'create'),
      };
    case 'edit':
      return {
        ...shapePath(properties, deed.path),
        ...shapeEdit(properties, deed, schema),
        ...subcommand(properties, 'str_replace'),
        ...('replace_all' in properties ? { replace_all: false } : {}),
      };
    case 'shell':
      return shapeCommand(properties, deed.command ?? '');
    case 'fetch':
      return { ...under(['url'], properties, deed.url), ...under(['prompt'], properties, deed.url) };
    case 'plan':
      return shapePlan(properties, deed.items ?? [], schema);
  }
}

/** The value under the first of the names that the tool knows. */
function under(candidates: readonly string[], properties: Properties, value: unknown): Args {
  const name = candidates.find((candidate) => candidate in properties);
  return name === undefined ? {} : { [name]: value };
}

function subcommand(properties: Properties, name: string): Args {
  return properties['command']?.enum?.includes(name) === true ? { command: name } : {};
}

function shapePath(properties: Properties, path: string | undefined): Args {
  if (PATHS.some((name) => name in properties)) {
    return under(PATHS, properties, path);
  }
  if ('paths' in properties) {
    return { paths: [path] };
  }
  const files = properties['files'];
  if (files === undefined) {
    return {};
  }
  return { files: files.items?.type === 'string' ? [path] : [{ ...(sample(files.items) as Args), path }] };
}

function shapeEdit(properties: Properties, deed: Deed, schema: Schema): Args {
  const pair = (known: Properties): Args => ({ ...under(OLD, known, deed.old), ...under(NEW, known, deed.new) });
  const { edits, edit } = properties;
  if (edits !== undefined) {
    const item = edits.items ?? {};
    return { edits: [{ ...(sample(item, schema) as Args), ...pair(item.properties ?? {}) }] };
  }
  if (edit !== undefined) {
    const inner = edit.properties ?? edit.anyOf?.find((choice) => choice.properties !== undefined)?.properties;
    return { edit: pair(inner ?? { old: {}, new: {} }) };
  }
  return pair(properties);
}

function shapeCommand(properties: Properties, command: string): Args {
  const name = COMMANDS.find((candidate) => candidate in properties) ?? 'command';
  const schema = properties[name] ?? {};
  const takesList = typeOf(schema) === 'array' || schema.anyOf?.some((choice) => typeOf(choice) === 'array') === true;
  if (!takesList) {
    return { [name]: command };
  }
  return { [name]: name === 'commands' ? [command] : ['bash', '-lc', command] };
}

function shapePlan(properties: Properties, items: readonly PlanItem[], schema: Schema): Args {
  const name = PLANS.find((candidate) => candidate in properties);
  const list = name === undefined ? undefined : properties[name];
  if (name === undefined || list === undefined) {
    return {};
  }
  if (list.type === 'string') {
    return {
      [name]: items.map(([text, status]) => `- [${status === 'completed' ? 'x' : ' '}] ${text}`).join('\n'),
    };
  }
  const item = list.items ?? list.anyOf?.find((choice) => choice.items !== undefined)?.items ?? {};
  return { [name]: items.map((planItem, index) => shapeItem(resolve(item, schema), planItem, index, schema)) };
}

function shapeItem(item: Schema, [text, status]: PlanItem, index: number, root: Schema): Args {
  const properties = item.properties ?? { content: {}, status: {} };
  const entries = Object.entries(properties).flatMap(([name, schema]): [string, unknown][] => {
    if (ITEM_TEXTS.includes(name)) {
      return [[name, text]];
    }
    switch (name) {
      case 'status':
        return [[name, knownStatus(schema, status)]];
      case 'id':
        return [[name, typeOf(schema) === 'string' ? String(index + 1) : index + 1]];
      case 'priority':
        return [[name, 'medium']];
      default:
        return item.required?.includes(name) === true ? [[name, sample(schema, root)]] : [];
    }
  });
  return Object.fromEntries(entries);
}

/** Some tools say "done" and "todo". */
function knownStatus(schema: Schema, status: string): unknown {
  if (schema.enum === undefined || schema.enum.includes(status)) {
    return status;
  }
  return { completed: 'done', pending: 'todo' }[status] ?? schema.enum[0];
}
