// Workbench-only entry, not part of the package: clients created before supabase-js has loaded.
export { createClientBeforeSupabase, loadSupabase } from './services/client/client-before-supabase.ts'
