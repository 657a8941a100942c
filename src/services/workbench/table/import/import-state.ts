// State of the import dialog and its transitions: a file, its contents, and the import options.
import { type Column, insertColumns, type TableInfo } from '../schema.ts'
import type { OnDuplicate } from '../../jobs/create-row-import.ts'
import type { Delimiter } from '../csv.ts'
import { type EmptyMeans, type Mapping, type Source, guessMapping } from './read-rows.ts'
import { sourceOf, type FileChoice, type FileRows } from './read-file.ts'

export interface ImportChoices {
  readonly hasHead: boolean
  readonly empty: EmptyMeans
  readonly isWhole: boolean
  readonly onDuplicate: OnDuplicate
}

export type ImportState =
  | { readonly step: 'choose'; readonly failure?: string }
  | {
      readonly step: 'reading'
      readonly file: FileChoice
      readonly share: number
      readonly delimiter?: Delimiter
    }
  | {
      readonly step: 'map'
      readonly file: FileChoice
      readonly rows: FileRows
      readonly source: Source
      /** The table's columns, plus those named in the file if the table's are not known for sure. */
      readonly columns: readonly Column[]
      readonly mapping: Mapping
      readonly choices: ImportChoices
    }

export type ImportAction =
  | { readonly type: 'file.chosen'; readonly file: FileChoice; readonly delimiter?: Delimiter }
  | { readonly type: 'file.progressed'; readonly share: number }
  | { readonly type: 'file.read'; readonly rows: FileRows; readonly info: TableInfo }
  | { readonly type: 'file.failed'; readonly message: string }
  | { readonly type: 'column.mapped'; readonly at: number; readonly to: string | null }
  | {
      readonly type: 'choice.made'
      readonly choices: Partial<ImportChoices>
      readonly info: TableInfo
    }
  | { readonly type: 'left' }

export const IMPORT_START: ImportState = { step: 'choose' }

const FIRST: ImportChoices = { hasHead: true, empty: 'null', isWhole: false, onDuplicate: 'refuse' }

/** A first row of values without any column name is not a header. */
const looksLikeHead = (rows: FileRows, columns: readonly Column[]): boolean => {
  const { names } = sourceOf(rows, true)
  if (guessMapping(names, columns).some(name => name !== null)) return true
  return names.every(name => !/^[\d.,:+\s-]+$/.test(name))
}

/** A column known only from the file: its values are sent as text. */
const unknownColumn = (name: string): Column => ({
  name,
  type: 'text',
  format: 'unknown',
  required: false,
  hasDefault: true,
  isKey: false,
})

const columnsFor = (info: TableInfo, { names }: Source): readonly Column[] => {
  const { isKnown } = info
  const all = insertColumns(info)
  // Generated columns accept no values.
  const columns = all.filter(column => column.generation === undefined)
  if (isKnown) return columns
  const otherNames = [...new Set(names)].filter(name => !all.some(column => column.name === name))
  return [...columns, ...otherNames.map(unknownColumn)]
}

const mapped = (mapping: Mapping, at: number, to: string | null): Mapping =>
  mapping.map((name, index) => (index === at ? to : name === to ? null : name))

function read(state: ImportState, rows: FileRows, info: TableInfo): ImportState {
  if (state.step !== 'reading') return state
  const hasHead = looksLikeHead(rows, info.columns)
  const source = sourceOf(rows, hasHead)
  if (source.rows.length === 0)
    return { step: 'choose', failure: 'The file has no rows. Choose another file or paste rows.' }
  const columns = columnsFor(info, source)
  const mapping = guessMapping(source.names, columns)
  return { step: 'map', file: state.file, rows, source, columns, mapping, choices: { ...FIRST, hasHead } }
}

/** The next state. */
export function importReducer(state: ImportState, action: ImportAction): ImportState {
  switch (action.type) {
    case 'file.chosen': {
      const { file, delimiter } = action
      return { step: 'reading', file, share: 0, ...(delimiter && { delimiter }) }
    }
    case 'file.progressed':
      return state.step === 'reading' ? { ...state, share: action.share } : state
    case 'file.read':
      return read(state, action.rows, action.info)
    case 'file.failed':
      return { step: 'choose', failure: action.message }
    case 'column.mapped':
      return state.step === 'map' ? { ...state, mapping: mapped(state.mapping, action.at, action.to) } : state
    case 'choice.made': {
      if (state.step !== 'map') return state
      const choices = { ...state.choices, ...action.choices }
      if (choices.hasHead === state.choices.hasHead) return { ...state, choices }
      const source = sourceOf(state.rows, choices.hasHead)
      const columns = columnsFor(action.info, source)
      return { ...state, choices, source, columns, mapping: guessMapping(source.names, columns) }
    }
    case 'left':
      return IMPORT_START
  }
}
