// The client of the app. In development it is recorded and controlled, for the console.
import { createChartroomClient } from 'chartroom'
import { createControl } from '@chartroom/devtools/control'
import { recordEverything } from '@chartroom/devtools/recording'
import type { Database } from './database'

const url = String(import.meta.env['VITE_SUPABASE_URL'])
const key = String(import.meta.env['VITE_SUPABASE_PUBLISHABLE_KEY'])

export const control = import.meta.env.DEV ? createControl() : undefined

// A production build contains neither the recorder nor the control.
export const client = control
  ? createChartroomClient<Database>({ url, key, recording: recordEverything(), control })
  : createChartroomClient<Database>({ url, key })
