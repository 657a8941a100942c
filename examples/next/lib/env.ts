// The backend of the app.
export const url = process.env.NEXT_PUBLIC_SUPABASE_URL ?? ''
export const key = process.env.NEXT_PUBLIC_SUPABASE_PUBLISHABLE_KEY ?? ''
