// The tests run against the embedded backend and the development server, which Playwright starts.
import { defineConfig } from '@playwright/test'

const backendPort = process.env['BACKEND_PORT'] ?? '54321'
const port = process.env['PORT'] ?? '5173'
const url = `http://127.0.0.1:${backendPort}`
// The publishable key of `--keys cli`, as in .env.
const key = 'sb_publishable_ACJWlzQHlZjBrEguHvfOxg_3BJgxAaH'

export default defineConfig({
  testDir: 'tests',
  // The second one groups failed and flaky tests by their first difference from a run that passed.
  reporter: [['list'], ['@chartroom/devtools/playwright/reporter']],
  timeout: 120_000,
  expect: { timeout: 15_000 },
  use: {
    baseURL: `http://localhost:${port}`,
    // Another Chromium than Playwright's own, which `npx playwright install chromium` brings.
    launchOptions: { executablePath: process.env['CHROMIUM_PATH'] },
  },
  webServer: [
    {
      command: `./node_modules/.bin/chartroom-backend --project ../project --keys cli --port ${backendPort}`,
      url: `${url}/auth/v1/health`,
      timeout: 180_000,
    },
    {
      command: `npx vite --port ${port} --strictPort`,
      url: `http://localhost:${port}`,
      // Variables of the shell may name another backend.
      env: { VITE_SUPABASE_URL: url, VITE_SUPABASE_PUBLISHABLE_KEY: key },
      timeout: 180_000,
    },
  ],
})
