// The commands of the app around its pages: their keys, the palette and the key sheet, which come when first asked for.
import {
  createContext,
  use,
  useCallback,
  useEffect,
  useMemo,
  useState,
  type ComponentType,
  type ReactNode,
} from 'react'
import { CommandRegistry } from '../../widgets/palette/registry.ts'
import { CommandsContext } from '../../widgets/palette/use-commands.ts'
import { OpeningContext, useIsQuiet } from '../opening.ts'
import { notify } from '../shell/notify.ts'
import { SECTIONS, type AppCommand } from './app-command.ts'
import type { AppPaletteProps, Opened } from './app-palette.tsx'
import { listenForKeys } from './key-press.ts'
import { useAppCommands } from './use-app-commands.ts'

const OpenContext = createContext<(what: Opened) => void>(() => undefined)

/** Opens the palette or the key sheet. */
export const useOpenPalette = (): ((what: Opened) => void) => use(OpenContext)

const load = async () => (await import('./app-palette.tsx')).AppPalette

/** Fetches the palette's code before it is asked for, as when the pointer comes near its button. */
export const preparePalette = (): void => void load().catch(() => undefined)

/** Everything below may offer commands. */
export function AppCommands({ children }: { readonly children: ReactNode }) {
  const [registry] = useState(() => new CommandRegistry(SECTIONS))
  const [open, setOpen] = useState<Opened>()
  const close = useCallback(() => setOpen(undefined), [])
  useEffect(() => listenForKeys(registry), [registry])
  return (
    <CommandsContext value={registry}>
      <OpenContext value={setOpen}>
        {children}
        <Always onOpen={setOpen} />
        <Late open={open} onClose={close} />
      </OpenContext>
    </CommandsContext>
  )
}

/** What can be done on every page. */
function Always({ onOpen }: { readonly onOpen: (what: Opened) => void }) {
  const commands = useMemo<readonly AppCommand[]>(
    () => [
      {
        id: 'palette',
        title: 'Search or run',
        section: 'Help',
        keys: ['Mod+K'],
        words: 'palette find command',
        run: () => onOpen('palette'),
      },
      {
        id: 'keys',
        title: 'Show all keys',
        section: 'Help',
        keys: ['?'],
        words: 'shortcuts keyboard help',
        run: () => onOpen('keys'),
      },
    ],
    [onOpen],
  )
  useAppCommands(commands)
  return null
}

/** There before it is asked for, once there is time: what is typed behind the keys that open it would be lost. */
function Late({ open, onClose }: AppPaletteProps) {
  const [Loaded, setLoaded] = useState<ComponentType<AppPaletteProps>>()
  const isQuiet = useIsQuiet(use(OpeningContext))
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
          title: 'The palette could not be loaded',
          detail: 'Where Chartroom is served from does not answer. Press the keys again to try again.',
        })
      },
    )
    return () => {
      isWanted = false
    }
  }, [open, isQuiet, Loaded, onClose])
  return Loaded ? <Loaded open={open} onClose={onClose} /> : null
}
