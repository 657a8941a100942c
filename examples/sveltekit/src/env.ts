// The backend of the app; both values are in pages, too.
import { defineEnvVars } from '@sveltejs/kit/env'

export const variables = defineEnvVars({
  PUBLIC_SUPABASE_URL: { public: true, static: true },
  PUBLIC_SUPABASE_PUBLISHABLE_KEY: { public: true, static: true },
})
