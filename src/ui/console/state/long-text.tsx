// A text of any length in full, in blocks, of which the browser lays out only visible ones.
import { useMemo } from 'react'
import styles from './strip.module.css'
import { Highlighted } from './value-row.tsx'

const BLOCK = 8_000

export function LongText({ text, wanted = '' }: { readonly text: string; readonly wanted?: string }) {
  const blocks = useMemo(() => blocksOf(text), [text])
  return (
    <div
      role="textbox"
      aria-readonly
      aria-multiline
      aria-label="Whole text"
      tabIndex={0}
      className={styles.text}
    >
      {blocks.map(({ from, part }) => (
        <div key={from} className={styles.block}>
          <Highlighted text={part} wanted={wanted} />
        </div>
      ))}
    </div>
  )
}

/** Cuts at the end of a line or word, if possible. */
function blocksOf(text: string): readonly { readonly from: number; readonly part: string }[] {
  const blocks: { readonly from: number; readonly part: string }[] = []
  for (let from = 0; from < text.length;) {
    const most = Math.min(text.length, from + BLOCK)
    const window = text.slice(from, most)
    const end = Math.max(window.lastIndexOf('\n'), window.lastIndexOf(' ')) + 1
    const to = most === text.length || end < BLOCK / 2 ? most : from + end
    blocks.push({ from, part: text.slice(from, to) })
    from = to
  }
  return blocks
}
