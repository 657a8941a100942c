// Loads what is not needed until the user signs in: the pages' frame with supabase-js, and the banner.
import { loadSupabase } from '../../../services/client/index.ts'

/** @throws if it can't be loaded */
export const loadSignedIn = async () => {
  const [{ SignedIn }] = await Promise.all([import('./signed-in.tsx'), loadSupabase()])
  return SignedIn
}

/** @throws if it can't be loaded */
export const loadBanner = async () => (await import('./banner.tsx')).Banner
