// Keyboard shortcuts, palette and key sheet of the app; the latter two load on first use.
import { use, useCallback, useEffect, useMemo, useState, type ComponentType, type ReactNode } from 'react'
import { CommandRegistry } from '../../widgets/palette/registry.ts'
import { CommandsContext } from '../../widgets/palette/use-commands.ts'
import { AppStartupContext, useIsQuiet } from '../app-startup.ts'
import { notify } from '../shell/notify.ts'
import { SECTIONS, type AppCommand } from './app-command.ts'
import type { AppPaletteProps, Opened } from './app-palette.tsx'
import { useAppCommands } from './use-app-commands.ts'
import { isApplePlatform, isTaken, keyNameOf, pressedIn } from '../../widgets/palette/key-name.ts'

/** First key of a sequence, and when it was pressed. */
interface First {
  readonly name: string
  /** Event timestamp in milliseconds. */
  readonly at: number
}

/** Time limit for the second key, so that a letter pressed long ago does not count. */
const TOGETHER_MS = 1_200

/** Elements that handle letter keys themselves. */
const OWN_LETTERS = '[role=menu], [role=listbox], [role=grid], [role=treegrid], [role=tree], [data-own-keys]'

const isCombined = (name: string) => /^(Mod|Alt)\+/.test(name)

/** Whether no element handles the key press, so that a command may. */
function isFree(event: KeyboardEvent, name: string): boolean {
  const { target, defaultPrevented, isComposing, repeat } = event
  if (defaultPrevented || isComposing || repeat || isTaken(pressedIn(event), name)) return false
  // An open dialog takes precedence.
  if (document.querySelector('[aria-modal=true]')) return false
  return isCombined(name) || !(target instanceof Element && target.closest(OWN_LETTERS))
}

/** Name of the two-key sequence if the first key was pressed recently. */
export const joined = (first: First | undefined, name: string, at: number): string | undefined =>
  first && at - first.at < TOGETHER_MS ? `${first.name} ${name}` : undefined

/** Listens on the window; returns a function that stops listening. */
function listenForKeys(registry: CommandRegistry): () => void {
  let first: First | undefined
  const onKey = (event: KeyboardEvent) => {
    const name = keyNameOf(event, isApplePlatform())
    if (name === undefined || /(Shift|Control|Alt|Meta)$/.test(name)) return
    if (!isFree(event, name)) {
      first = undefined
      return
    }
    const both = joined(first, name, event.timeStamp)
    const command = (both === undefined ? undefined : registry.forKey(both)) ?? registry.forKey(name)
    first = command ? undefined : { name, at: event.timeStamp }
    if (!command) return
    event.preventDefault()
    registry.run(command.id)
  }
  window.addEventListener('keydown', onKey)
  return () => window.removeEventListener('keydown', onKey)
}

const load = async () => (await import('./app-palette.tsx')).AppPalette

/** Preloads the palette's code, such as when the pointer approaches its button. */
export const preparePalette = (): void => void load().catch(() => undefined)

/** Descendants may register commands. */
export function AppCommands({ children }: { readonly children: ReactNode }) {
  const [registry] = useState(() => new CommandRegistry(SECTIONS))
  const [open, setOpen] = useState<Opened>()
  const close = useCallback(() => setOpen(undefined), [])
  useEffect(() => listenForKeys(registry), [registry])
  return (
    <CommandsContext value={registry}>
      {children}
      <Always onOpen={setOpen} />
      <Late open={open} onClose={close} />
    </CommandsContext>
  )
}

/** Commands available on every page. */
function Always({ onOpen }: { readonly onOpen: (what: Opened) => void }) {
  const commands = useMemo<readonly AppCommand[]>(
    () => [
      {
        id: 'palette',
        title: 'Open the command palette',
        section: 'Help',
        keys: ['Mod+K'],
        words: 'search run find',
        run: () => onOpen('palette'),
      },
      {
        id: 'keys',
        title: 'Keyboard shortcuts',
        section: 'Help',
        keys: ['?'],
        words: 'all keys help',
        run: () => onOpen('keys'),
      },
    ],
    [onOpen],
  )
  useAppCommands(commands)
  return null
}

/** Preloads the palette when the app is idle: text typed right after its shortcut would otherwise be lost. */
function Late({ open, onClose }: AppPaletteProps) {
  const [Loaded, setLoaded] = useState<ComponentType<AppPaletteProps>>()
  const isQuiet = useIsQuiet(use(AppStartupContext))
  useEffect(() => {
    if ((open === undefined && !isQuiet) || Loaded) return
    let isWanted = true
    load().then(
      part => isWanted && setLoaded(() => part),
      () => {
        if (!isWanted || open === undefined) return
        onClose()
        notify({
          tone: 'fail',
          title: 'Could not load the command palette',
          detail: 'The server that hosts Chartroom is not responding. Press the keys again to retry.',
        })
      },
    )
    return () => {
      isWanted = false
    }
  }, [open, isQuiet, Loaded, onClose])
  return Loaded ? <Loaded open={open} onClose={onClose} /> : null
}
