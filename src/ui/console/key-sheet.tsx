// The sheet of the console's shortcuts.
import { memo } from 'react'
import { KeySheet as Sheet } from '../widgets/palette/key-sheet.tsx'
import { SECTIONS } from './commands/command.ts'

export interface KeySheetProps {
  readonly isOpen: boolean
  readonly onClose: () => void
}

/** While closed, a step does not rerender it. */
export const KeySheet = memo(function KeySheet(props: KeySheetProps) {
  return (
    <Sheet
      title="Console shortcuts"
      sections={SECTIONS}
      note="Shortcuts work while the focus is in the console and not in a text field."
      {...props}
    />
  )
})
