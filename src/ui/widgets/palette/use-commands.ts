// Hooks to register commands and key notes in the nearest console or app.
import { createContext, use, useLayoutEffect, useState, useSyncExternalStore } from 'react'
import type { Command, KeyNote } from './command.ts'
import type { CommandRegistry } from './registry.ts'

/** The nearest registry: the console's inside a console, the app's elsewhere. */
export const CommandsContext = createContext<CommandRegistry | undefined>(undefined)

/** Returns the nearest registry, to list or run commands. */
export function useRegistry(): CommandRegistry {
  const registry = use(CommandsContext)
  if (!registry) throw new Error('Commands need a CommandsContext above them')
  return registry
}

/** Registers commands for shortcuts, palette and key sheet while the component is mounted. */
export function useCommands(commands: readonly Command[]): void {
  const registry = useRegistry()
  const [self] = useState(() => ({}))
  useLayoutEffect(() => registry.offer(self, commands), [registry, self, commands])
  useLayoutEffect(() => () => registry.withdraw(self), [registry, self])
}

/** Lists keys on the sheet that the component handles itself while focused. `notes` must be stable. */
export function useKeyNotes(notes: readonly KeyNote[]): void {
  const registry = useRegistry()
  useLayoutEffect(() => {
    const self = {}
    registry.note(self, notes)
    return () => registry.withdraw(self)
  }, [registry, notes])
}

/** Returns all registered commands; re-renders when they change. */
export function useOffered(): readonly Command[] {
  const registry = useRegistry()
  return useSyncExternalStore(registry.subscribe, registry.list, registry.list)
}

/** Returns all key notes; re-renders when they change. */
export function useNotedKeys(): readonly KeyNote[] {
  const registry = useRegistry()
  return useSyncExternalStore(registry.subscribe, registry.notes, registry.notes)
}
