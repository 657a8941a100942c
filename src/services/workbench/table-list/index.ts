// The list of tables: filter, favorites, recently opened tables and groups.
export { type ListedTable, type ListRow, listRows, listTables, tableId } from './list-rows.ts'
export { listSettingsOf } from './list-settings.ts'
export { foldName, matchName } from './match-name.ts'
