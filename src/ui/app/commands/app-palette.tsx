// The app's palette and key sheet: search for all commands and destinations.
import { useMemo, useState } from 'react'
import { array, string } from 'valibot'
import { KeySheet } from '../../widgets/palette/key-sheet.tsx'
import { PaletteBox, type PaletteBoxProps } from '../../widgets/palette/palette-box.tsx'
import { PaletteDialog, useTake } from '../../widgets/palette/palette-dialog.tsx'
import { rank } from '../../widgets/palette/rank.ts'
import { useOffered } from '../../widgets/palette/use-commands.ts'
import { readSetting, writeSetting } from '../../../services/workbench/storage/index.ts'
import { SECTIONS, type AppSection } from './app-command.ts'
import type { Command } from '../../widgets/palette/command.ts'
import { commandItems, type Grammar, type PaletteItem } from '../../widgets/palette/palette-item.ts'

const PLACES: AppSection = 'Go to'

/** Destinations come first: most users open the palette to navigate. */
export const GRAMMAR: Grammar = {
  kinds: {
    place: { word: 'go to', weight: 1 },
    command: { word: '', weight: 0.98 },
  },
  signs: {
    '/': { kinds: ['place'], name: 'places' },
    '>': { kinds: ['command'], name: 'commands' },
  },
}

/** Number of remembered recent items. */
const KEPT = 5

/** Converts the registered commands to palette lines. */
export const appItems = (offered: readonly Command[]): readonly PaletteItem[] =>
  commandItems(offered).map(item => (item.detail === PLACES ? { ...item, kind: 'place', detail: '' } : item))

/** Recent items, with this one first. */
export const withUsed = (used: readonly string[], key: string): readonly string[] =>
  [key, ...used.filter(known => known !== key)].slice(0, KEPT)

/** The open overlay. */
export type Opened = 'palette' | 'keys'

export interface AppPaletteProps {
  readonly open: Opened | undefined
  readonly onClose: () => void
}

const RECENT = 'palette'

const used = () => readSetting(RECENT, array(string()), [])

/** One component for both, since both list the registered commands. */
export function AppPalette({ open, onClose }: AppPaletteProps) {
  const dialog = { isOpen: open === 'palette', onClose }
  const take = useTake(dialog, ({ key }) => writeSetting(RECENT, withUsed(used(), key)))
  return (
    <>
      <PaletteDialog {...dialog}>
        <Box onTake={take} />
      </PaletteDialog>
      <KeySheet
        title="Keyboard shortcuts"
        sections={SECTIONS}
        note="Inactive while you type in a text field. Console shortcuts: press ? in the console."
        isOpen={open === 'keys'}
        onClose={onClose}
      />
    </>
  )
}

function Box({ onTake }: Pick<PaletteBoxProps, 'onTake'>) {
  const [text, setText] = useState('')
  const [recent] = useState(used)
  const offered = useOffered()
  const items = useMemo(() => appItems(offered), [offered])
  const ranked = useMemo(() => rank(GRAMMAR, items, text, recent), [items, text, recent])
  return (
    <PaletteBox
      grammar={GRAMMAR}
      text={text}
      onText={setText}
      ranked={ranked}
      onTake={onTake}
      placeholder="Search tables, buckets, pages and commands…"
      none="Page commands are only found while their page is open. Rows and files are searched on their own pages."
    />
  )
}
