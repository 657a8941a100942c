// The console's palette: finds commands and places by typing.
import { memo, useState } from 'react'
import { PaletteBox } from '../../widgets/palette/palette-box.tsx'
import { PaletteDialog } from '../../widgets/palette/palette-dialog.tsx'
import { GRAMMAR } from './rank.ts'
import { keepUsed, usePalette, type PaletteOptions } from './use-palette.ts'

export interface PaletteProps extends PaletteOptions {
  readonly isOpen: boolean
  readonly onClose: () => void
}

/** While closed, a step does not rerender it. */
export const Palette = memo(function Palette({ isOpen, onClose, ...options }: PaletteProps) {
  return (
    <PaletteDialog isOpen={isOpen} onClose={onClose} onTake={keepUsed}>
      <Box {...options} />
    </PaletteDialog>
  )
})

function Box(options: PaletteOptions) {
  const [text, setText] = useState('')
  const ranked = usePalette(text, options)
  return (
    <PaletteBox
      grammar={GRAMMAR}
      text={text}
      onText={setText}
      ranked={ranked}
      placeholder="A command, an actor, a state, #812 …"
      none="Start with a letter below to narrow the search. To search events, use the log’s query."
    />
  )
}
