// The page: creates the client and gives it to all components.
import { createChartroomClient } from 'chartroom'
import { chartroom } from 'chartroom/vue'
import { createApp } from 'vue'
import App from './app.vue'
import type { Database } from './database'
import './style.css'

const url = String(import.meta.env['VITE_SUPABASE_URL'])
const key = String(import.meta.env['VITE_SUPABASE_PUBLISHABLE_KEY'])
const client = createChartroomClient<Database>({ url, key })

createApp(App).use(chartroom(client)).mount('#app')
