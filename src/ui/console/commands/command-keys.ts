// A key press in the console as the command that it is for.
import type { KeyboardEvent } from 'react'
import { isApplePlatform, isTaken, keyNameOf } from './key-name.ts'
import type { CommandRegistry } from './registry.ts'

/** Does what the key is for, unless the focused element takes it, or it comes from a dialog above the console. */
export function takeKey(event: KeyboardEvent, registry: CommandRegistry): void {
  const { target, currentTarget } = event
  const name = keyNameOf(event.nativeEvent, isApplePlatform())
  const isInside = target instanceof Node && currentTarget.contains(target)
  if (name === undefined || !isInside || isTaken(target, name)) return
  const command = registry.forKey(name)
  if (!command) return
  event.preventDefault()
  event.stopPropagation()
  registry.run(command.id)
}
