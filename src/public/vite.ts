// The public entry `chartroom/vite`: Chartroom's client for code that imports supabase-js and must not change.
export { chartroomAlias } from '../vite-alias/index.ts'
