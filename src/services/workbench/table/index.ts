// Tables: schema, query, rows, selection, edits, import, export and comparison.
export {
  cellFilter,
  type Choice,
  choiceOf,
  choicesFor,
  conditionWords,
  filtersTo,
  filterValue,
  filterWords,
  searchFilter,
  typedValue,
} from './operators.ts'
export { type Element, readArrayText, writeArrayText } from './cells/array-text.ts'
export { type Cell, cellOf, isZoned, readCell } from './cells/cell-text.ts'
export {
  AS_GIVEN,
  changeLayout,
  type ColumnLayout,
  fitColumns,
  pinnedIn,
  headWidth,
  type LaidColumn,
  layColumns,
  type LayoutAction,
  layoutSchema,
  settledLayout,
  shortType,
  widthFor,
} from './columns.ts'
export { askFor, type Composite, compositesIn, isReferring, withComposites } from './composites.ts'
export { ROW_FORMATS, rowsText } from './copy-rows.ts'
export { type Delimiter, DELIMITERS } from './csv.ts'
export { changesOf, type Draft, draftLike, draftOf, readDraft } from './draft.ts'
export { pickerTime, withPicked, withZone, zonedTime } from './cells/instant-text.ts'
export { type Deletion, leavingKeys, UNDO_MS } from './edits/deletion-store.ts'
export { createDraftStorage, draftsName } from './edits/drafts.ts'
export {
  type Edit,
  type EditDecision,
  type EditedCell,
  editedCells,
  type EditState,
  type Values,
} from './edits/edit-store.ts'
export {
  type CellsEntry,
  type HistoryEntry,
  type HistoryOutcome,
  TableSession,
  type TableSessionPorts,
} from './table-session.ts'
export { type Plan, planClear, type PlanContext, planPaste, planSet, type RowChange } from './edits/plan.ts'
export {
  createExportWriter,
  type ExportFormat,
  exportName,
  type ExportWriter,
  FORMATS,
} from './export/export-format.ts'
export { type ExportScope, scopeQuery } from './export/export-scope.ts'
export {
  type FailedRow,
  failedRowsFile,
  formatPhase,
  settledRows,
  sumOf,
  undoBlockOf,
  undoLimit,
} from './import/format-run.ts'
export {
  IMPORT_START,
  type ImportAction,
  type ImportChoices,
  importReducer,
  type ImportState,
} from './import/import-state.ts'
export {
  type EmptyMeans,
  type Mapping,
  missingColumns,
  type Problem,
  readRows,
  type ReadRows,
  type Source,
} from './import/read-rows.ts'
export { readImportedCell } from './import/read-cell.ts'
export { type FileChoice, type FileRows, pastedFile, readFile } from './import/read-file.ts'
export { type Labels, LabelStore, labelSources, titleColumn } from './labels.ts'
export { embeddingOf, type ForeignKey, type IncomingKey, keysFrom, keysTo } from './foreign-keys.ts'
export { madeStoreOf, withMade } from './made-columns.ts'
export { nearestNames, splitSchema } from './nearest-names.ts'
export { readOfTable, type TableName, writeOfTable } from './of-table.ts'
export { type LoadedRow, loadedRows, type Pages, rowCount, type View } from './pages.ts'
export { readReferring, type ReferringRows, referredFilters, referringFilters } from './referring.ts'
export { reloadText } from './reload-text.ts'
export {
  currentRelated,
  flatRow,
  NOT_VISIBLE,
  type RelatedColumn,
  relatedChoices,
  unsortedReason,
  withRelatedColumns,
} from './related.ts'
export { createRowReader } from './row-reader.ts'
export {
  ALL_RIGHTS,
  allColumns,
  type Column,
  defaultSorts,
  fixedReason,
  guessTable,
  insertColumns,
  mayBeOmitted,
  readOnlyReason,
  type Reference,
  type Row,
  rowKey,
  rowName,
  type TableInfo,
  type TableKind,
  unreadableReason,
  valueText,
} from './schema.ts'
export {
  aboutQuery,
  readSaved,
  renamed,
  type SavedQuery,
  toSave,
  withSaved,
  writeSaved,
} from './saved-queries.ts'
export {
  Comparison,
  type ComparisonSnapshot,
  formatDetails,
  formatScan,
  formatSummary,
  formatTimes,
  isEnded,
  type Viewer,
} from './seen-by/comparison.ts'
export { keyText, type RowStatus } from './seen-by/row-index.ts'
export { isInTableOrder } from './seen-by/seen-requests.ts'
export {
  afterEdit,
  collapse,
  columnsIn,
  cursorPlace,
  cursorRow,
  extendTo,
  goTo,
  hasRows,
  INITIAL_SELECTION,
  isSingle,
  type Place,
  placeOf,
  selectAll,
  selectCell,
  selectedRows,
  type Selection,
  type SelectionMove,
  selectKey,
  selectRange,
  selectRow,
  settle,
  startOf,
  stepFrom,
} from './selection.ts'
export { quoteName, selectName } from './rest-names.ts'
export {
  alternativesOf,
  filterOf,
  fromTableSearch,
  type TableCondition,
  type TableFilter,
  type TableQuery,
  type TableSort,
  type ImportUndo,
  type TableToolsProps,
  toRestRead,
  toTableSearch,
  withoutRelated,
} from './table-query.ts'
export { totalsOf } from './totals.ts'
export { readTsv, writeTsv } from './tsv.ts'
export { type WriteOutcome, writeOutcome } from './edits/write-outcome.ts'
export { refusedRightsOf, withoutRefused } from './refused-rights.ts'
export { absence } from './absence.ts'
