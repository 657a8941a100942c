// Marks of an event in the log: its note, marks A and B, and its failure.
import { useMemo } from 'react'
import { useBookmarks } from '../bookmarks/use-bookmarks.ts'
import { useVerdicts } from '../checks/verdicts.ts'
import { useConsole } from '../use-console.ts'
import type { LogRowProps } from './log-row.tsx'

export type RowMarks = Pick<LogRowProps, 'note' | 'mark' | 'finding'>

const NONE: RowMarks = {}

/** Returns the marks of an event by number. Rows without marks cost nothing. */
export function useRowMarks(): (seq: number) => RowMarks {
  const { list } = useBookmarks()
  const { findings } = useVerdicts()
  const { a, b } = useConsole().place.marks
  const notes = useMemo(() => new Map(list.map(({ step, note }) => [step, note])), [list])
  const broken = useMemo(() => {
    const texts = new Map<number, string>()
    for (const { seq, name, text } of findings) {
      const before = texts.get(seq)
      texts.set(seq, `${before === undefined ? '' : `${before} `}${name}: ${text}`)
    }
    return texts
  }, [findings])
  return useMemo(
    () => (seq: number) => {
      const mark = `${seq === a ? 'A' : ''}${seq === b ? 'B' : ''}`
      const [note, finding] = [notes.get(seq), broken.get(seq)]
      if (mark === '' && note === undefined && finding === undefined) return NONE
      return { note, finding, mark: mark || undefined }
    },
    [notes, broken, a, b],
  )
}
