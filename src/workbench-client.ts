// An entry for the workbench alone: clients that are there before supabase-js. No part of the package.
export { createClientBeforeSupabase, loadSupabase } from './services/client-before-supabase.ts'
