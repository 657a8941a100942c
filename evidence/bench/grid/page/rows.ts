// The generated table of the grid benchmark: twenty columns, and a million rows with values computed from the
// row number.
import type { Column } from '../../../../src/services/workbench/table/schema.ts'

export const ROWS = 1_000_000

const WORDS = ['Fulmar', 'Kittiwake', 'Gannet', 'Razorbill', 'Shearwater', 'Dunlin', 'Whimbrel'] as const

const FORMATS = ['bigint', 'text', 'timestamp with time zone', 'numeric', 'boolean'] as const
const TYPES = { bigint: 'integer', text: 'text', numeric: 'number', boolean: 'boolean' } as const

const typeOf = (format: (typeof FORMATS)[number]): Column['type'] =>
  format === 'timestamp with time zone' ? 'timestamp' : TYPES[format]

export const columns: readonly Column[] = Array.from({ length: 20 }, (_, n): Column => {
  const format = FORMATS[n % FORMATS.length] ?? 'text'
  return {
    name: n === 0 ? 'id' : `c${n}`,
    type: typeOf(format),
    format,
    required: n === 0,
    hasDefault: false,
    isKey: n === 0,
  }
})

/** The value of a cell, as the server would return it. */
export function valueAt(row: number, column: number): string | boolean | null {
  if (column === 0) return String(row)
  const mixed = (row * 7919 + column * 104_729) % 100_003
  if (mixed % 11 === 0) return null
  switch (FORMATS[column % FORMATS.length]) {
    case 'bigint':
      return String(mixed * 90_071)
    case 'numeric':
      return (mixed / 97).toFixed(2)
    case 'boolean':
      return mixed % 2 === 0
    case 'timestamp with time zone':
      return `2026-03-${String(1 + (mixed % 28)).padStart(2, '0')} 10:${String(mixed % 60).padStart(2, '0')}:00+00`
    default:
      return `${WORDS[mixed % WORDS.length] ?? ''} ${mixed}`
  }
}
