// The sheet of the console's keys.
import { memo } from 'react'
import { KeySheet as Sheet } from '../widgets/palette/key-sheet.tsx'
import { SECTIONS } from './commands/command.ts'

export interface KeySheetProps {
  readonly isOpen: boolean
  readonly onClose: () => void
}

/** Closed, a step does not render it. */
export const KeySheet = memo(function KeySheet(props: KeySheetProps) {
  return (
    <Sheet
      title="Keys of the console"
      sections={SECTIONS}
      note="They work while the focus is in the console and not in a text field."
      {...props}
    />
  )
})
