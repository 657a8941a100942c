// Runs the command of a key press in the console; apart from the hooks, which load before the sign-in.
import { useEffect, type KeyboardEvent } from 'react'
import { isApplePlatform, isTaken, keyNameOf, pressedIn } from './key-name.ts'
import type { CommandRegistry } from './registry.ts'

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
