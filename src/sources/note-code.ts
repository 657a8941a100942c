// The code that a module with positions contains: it notes them for values, in a store that all modules share.
import { type PlaceTree, SOURCES_KEY } from '../trace/index.ts'
import type { CallKind } from './find-calls.ts'

/** The function's name in the module. */
export const NOTE = '__chartroomNote'

/** The positions of one call. */
export interface CallNote {
  readonly kind: CallKind
  /** Of a machine: what it is called in its module. */
  readonly key?: string
  readonly tree: PlaceTree
}

/**
 * Returns a function declaration, which is hoisted, so that it can be called anywhere in the module and no line moves.
 * It imports nothing: the module may run in a page, in a worker, in Node or in a test. It returns the value.
 */
export function noteCode(file: string, notes: readonly CallNote[]): string {
  return `
function ${NOTE}(value, n) {
  const store = (globalThis[Symbol.for(${JSON.stringify(SOURCES_KEY)})] ??= { notes: new WeakMap(), machines: new Map(), listeners: new Set() });
  const file = ${JSON.stringify(file)};
  const { kind, key, tree } = (${NOTE}.notes ??= ${JSON.stringify(notes)})[n];
  const note = (item, tree) => {
    if (tree && Object(item) === item && !store.notes.has(item)) store.notes.set(item, { file, tree });
  };
  if (kind === "parts") {
    for (const part of ["guards", "actions", "actors", "delays"]) {
      const items = value?.[part], inside = tree[2]?.[part];
      note(items, inside);
      for (const name in inside?.[2]) if (Object.hasOwn(Object(items), name)) note(items[name], inside[2][name]);
    }
    return value;
  }
  note(value, tree);
  if (kind !== "machine" || !value?.config) return value;
  note(value.config, tree);
  const machines = store.machines.get(file) ?? new Map();
  store.machines.set(file, machines);
  const previous = machines.get(key);
  machines.set(key, { machine: value, module: ${NOTE} });
  for (const listener of store.listeners)
    listener({ file, key, machine: value, previous: previous?.machine, isNewModule: previous?.module !== ${NOTE} });
  return value;
}
`
}
