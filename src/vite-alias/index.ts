// The Vite plugin that gives pages Chartroom's client where their code imports supabase-js.
export { chartroomAlias } from './plugin.ts'
