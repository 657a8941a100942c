export default defineNuxtConfig({
  compatibilityDate: '2026-01-01',
  app: { head: { title: 'Notes', link: [{ rel: 'icon', href: 'data:,' }] } },
  runtimeConfig: { public: { supabaseUrl: '', supabasePublishableKey: '' } },
})
