// How views offer commands and keys to the console or the app around them.
import { createContext, use, useLayoutEffect, useState, useSyncExternalStore } from 'react'
import type { Command, KeyNote } from './command.ts'
import type { CommandRegistry } from './registry.ts'

/** The registry of the nearest around: of the console inside it, of the app everywhere else. */
export const CommandsContext = createContext<CommandRegistry | undefined>(undefined)

/** The registry around, for whoever lists or runs commands. */
export function useRegistry(): CommandRegistry {
  const registry = use(CommandsContext)
  if (!registry) throw new Error('Commands are for views inside a CommandsContext')
  return registry
}

/** Offers these for as long as the component is there: to keys, palette and key sheet. */
export function useCommands(commands: readonly Command[]): void {
  const registry = useRegistry()
  const [self] = useState(() => ({}))
  useLayoutEffect(() => registry.offer(self, commands), [registry, self, commands])
  useLayoutEffect(() => () => registry.withdraw(self), [registry, self])
}

/** Lists keys on the sheet that the component takes by itself while it has the focus. `notes` must stay the same. */
export function useKeyNotes(notes: readonly KeyNote[]): void {
  const registry = useRegistry()
  useLayoutEffect(() => {
    const self = {}
    registry.note(self, notes)
    return () => registry.withdraw(self)
  }, [registry, notes])
}

/** All that is offered now; renews the component when it changes. */
export function useOffered(): readonly Command[] {
  const registry = useRegistry()
  return useSyncExternalStore(registry.subscribe, registry.list, registry.list)
}

/** All keys that views take by themselves; renews the component when they change. */
export function useNotedKeys(): readonly KeyNote[] {
  const registry = useRegistry()
  return useSyncExternalStore(registry.subscribe, registry.notes, registry.notes)
}
