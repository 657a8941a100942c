// The app's palette and its key sheet: everything that can be done or gone to, found by typing.
import { useMemo, useState } from 'react'
import { array, string } from 'valibot'
import { KeySheet } from '../../widgets/palette/key-sheet.tsx'
import { PaletteBox } from '../../widgets/palette/palette-box.tsx'
import { PaletteDialog } from '../../widgets/palette/palette-dialog.tsx'
import { rank } from '../../widgets/palette/rank.ts'
import { useOffered } from '../../widgets/palette/use-commands.ts'
import { readSetting, writeSetting } from '../local-store.ts'
import { SECTIONS } from './app-command.ts'
import { appItems, GRAMMAR, withUsed } from './app-items.ts'

/** What is open above the page. */
export type Opened = 'palette' | 'keys'

export interface AppPaletteProps {
  readonly open: Opened | undefined
  readonly onClose: () => void
}

const RECENT = 'palette'

const used = () => readSetting(RECENT, array(string()), [])

/** Both, since both are made of what is offered. */
export function AppPalette({ open, onClose }: AppPaletteProps) {
  return (
    <>
      <PaletteDialog
        isOpen={open === 'palette'}
        onClose={onClose}
        onTake={({ key }) => writeSetting(RECENT, withUsed(used(), key))}
      >
        <Box />
      </PaletteDialog>
      <KeySheet
        title="Keys"
        sections={SECTIONS}
        note="They work while no text is being typed. The console has a sheet of its own: press ? in it."
        isOpen={open === 'keys'}
        onClose={onClose}
      />
    </>
  )
}

function Box() {
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
      placeholder="A table, a bucket, a page, something to do …"
      none="What a page can do is found while that page is open; rows and files are found on their own pages."
    />
  )
}
