// Keyboard shortcuts, palette and key sheet of the app; the latter two load on first use.
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
import { AppStartupContext, useIsQuiet } from '../app-startup.ts'
import { notify } from '../shell/notify.ts'
import { SECTIONS, type AppCommand } from './app-command.ts'
import type { AppPaletteProps, Opened } from './app-palette.tsx'
import { listenForKeys } from './key-press.ts'
import { useAppCommands } from './use-app-commands.ts'

const OpenContext = createContext<(what: Opened) => void>(() => undefined)

/** Opens the palette or the key sheet. */
export const useOpenPalette = (): ((what: Opened) => void) => use(OpenContext)

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
      <OpenContext value={setOpen}>
        {children}
        <Always onOpen={setOpen} />
        <Late open={open} onClose={close} />
      </OpenContext>
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
