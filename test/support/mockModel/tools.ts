/** Chooses a tool of the agent for what a step wants done. */
import { shapeArguments } from './shape.js';
import type { Call, Deed, Tool } from './types.js';

type Action = NonNullable<Deed['do']>;

/** Well-known names of tools, the best first. */
const names: Readonly<Record<Action, readonly string[]>> = {
  read: ['read_file', 'Read', 'read', 'ReadFile', 'view', 'read_text_file', 'mcp__acp__Read', 'fs_read', 'read_files'],
  write: [
    ...['write_file', 'Write', 'write', 'WriteFile', 'create', 'mcp__acp__Write', 'write_to_file', 'create_file'],
    ...['editor', 'apply_patch'],
  ],
  edit: [
    ...['replace', 'edit', 'Edit', 'StrReplaceFile', 'str_replace', 'mcp__acp__Edit', 'edit_file', 'replace_in_file'],
    ...['str_replace_editor', 'editor', 'apply_patch'],
  ],
  shell: [
    ...['run_shell_command', 'Bash', 'bash', 'Shell', 'shell', 'exec_command', 'shell_command', 'mcp__acp__Bash'],
    ...['execute_command', 'run_commands', 'local_shell'],
  ],
  plan: [
    ...['todo_write', 'TodoWrite', 'todowrite', 'update_plan', 'SetTodoList', 'TodoList', 'write_todos', 'todo'],
    ...['update_todo_list', 'todos', 'manage_todo_list'],
  ],
  list: ['list_directory', 'LS', 'list', 'ls', 'Glob', 'glob'],
  fetch: ['web_fetch', 'WebFetch', 'webfetch', 'FetchURL', 'fetch'],
};

/** The calls that do it with these tools: none where no tool can, several where a tool takes one item at a time. */
export function callsFor(deed: Deed, step: number, tools: readonly Tool[]): readonly Call[] {
  if (deed.tool !== undefined) {
    return [{ name: deed.tool, args: deed.args ?? {} }];
  }
  if (deed.toolLike !== undefined) {
    const wanted = deed.toolLike;
    const tool = tools.find(({ name }) => name.includes(wanted));
    return tool === undefined ? [] : [{ name: tool.name, namespace: tool.namespace, args: deed.args ?? {} }];
  }
  if (deed.do === undefined) {
    return [];
  }
  const tool = find(deed.do, tools);
  if (deed.do === 'plan' && tool === undefined && tools.some(({ name }) => name === 'TaskCreate')) {
    return taskCalls(deed, step);
  }
  if (tool?.name === 'apply_patch') {
    return [patchCall(tool, deed)];
  }
  if (tool !== undefined) {
    return [{ name: tool.name, args: shapeArguments(deed.do, deed, tool) }];
  }
  const shell = find('shell', tools);
  const command = shellCommand(deed);
  return shell === undefined || command === undefined
    ? []
    : [{ name: shell.name, args: shapeArguments('shell', { command }, shell) }];
}

function find(action: Action, tools: readonly Tool[]): Tool | undefined {
  const known = names[action].find((name) => tools.some((tool) => tool.name === name));
  return tools.find((tool) => tool.name === known);
}

/** A plan made of one call for each task: all are created first, later steps update them. */
function taskCalls(deed: Deed, step: number): readonly Call[] {
  return (deed.items ?? []).map(([subject, status], index) =>
    step === 0
      ? { name: 'TaskCreate', args: { subject, description: subject, activeForm: subject } }
      : { name: 'TaskUpdate', args: { taskId: String(index + 1), status } },
  );
}

function patchCall(tool: Tool, deed: Deed): Call {
  const input = patch(deed);
  if (tool.custom === true) {
    return { name: tool.name, args: {}, input };
  }
  const properties = tool.schema?.properties ?? {};
  const name = ['input', 'patch', 'patchText', 'patch_text'].find((candidate) => candidate in properties) ?? 'input';
  return { name: tool.name, args: { [name]: input } };
}

function patch({ do: action, path = '', content = '', old = '', new: replacement = '' }: Deed): string {
  const lines = (sign: string, text: string): string =>
    text
      .split('\n')
      .map((line) => sign + line)
      .join('\n');
  const body =
    action === 'write'
      ? `*** Add File: ${path}\n${lines('+', content.replace(/\n$/, ''))}`
      : `*** Update File: ${path}\n@@\n${lines('-', old)}\n${lines('+', replacement)}`;
  return `*** Begin Patch\n${body}\n*** End Patch`;
}

/** For agents whose only tool is a shell. */
function shellCommand({ do: action, path = '.', content = '', old = '', new: replacement = '' }: Deed) {
  switch (action) {
    case 'read':
      return `cat ${quote(path)}`;
    case 'list':
      return `ls ${quote(path)}`;
    case 'write':
      return `printf %s ${quote(content)} > ${quote(path)}`;
    case 'edit':
      return `sed -i ${quote(`s/${old}/${replacement}/`)} ${quote(path)}`;
    default:
      return undefined;
  }
}

function quote(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}
