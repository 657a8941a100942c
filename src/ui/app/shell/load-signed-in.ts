// Loads the code that a signed-in user needs first: the pages' frame and supabase-js.
import { loadSupabase } from '../../../services/client/index.ts'

/** @throws if it can't be loaded */
export const loadSignedIn = async () => {
  const [{ SignedIn }] = await Promise.all([import('./signed-in.tsx'), loadSupabase()])
  return SignedIn
}
