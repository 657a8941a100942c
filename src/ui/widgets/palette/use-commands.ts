// Hooks to register commands and key notes in the nearest console or app.
import {
  createContext,
  use,
  useLayoutEffect,
  useState,
  useSyncExternalStore,
  useEffect,
  type KeyboardEvent,
} from 'react'
import type { Command, KeyNote } from './command.ts'
import type { CommandRegistry } from './registry.ts'
import { isApplePlatform, isTaken, keyNameOf, pressedIn } from './key-name.ts'

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

/** Runs the command, unless the focused element handles the key or a dialog above the console sent it. */
export function takeKey(event: KeyboardEvent, registry: CommandRegistry): void {
  const { target, currentTarget } = event
  const name = keyNameOf(event.nativeEvent, isApplePlatform())
  const isInside = target instanceof Node && currentTarget.contains(target)
  if (name === undefined || !isInside || isTaken(pressedIn(event.nativeEvent), name)) return
  const command = registry.forKey(name)
  if (!command) return
  event.preventDefault()
  event.stopPropagation()
  registry.run(command.id)
}

/** Runs the command of one key from anywhere on the page, while nothing covers the page. */
export function usePageKey(isOn: boolean, key: string, registry: CommandRegistry): void {
  useEffect(() => {
    if (!isOn) return
    const onKey = (event: globalThis.KeyboardEvent) => {
      const isThis = keyNameOf(event, isApplePlatform()) === key
      if (!isThis || event.defaultPrevented || document.querySelector('[aria-modal=true]')) return
      const command = registry.forKey(key)
      if (!command) return
      event.preventDefault()
      registry.run(command.id)
    }
    window.addEventListener('keydown', onKey)
    return () => window.removeEventListener('keydown', onKey)
  }, [isOn, key, registry])
}
