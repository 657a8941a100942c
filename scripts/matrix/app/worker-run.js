// Starts the bundled worker in workerd, as Cloudflare runs it, and prints its report.
import process from 'node:process'
import { Miniflare } from 'miniflare'

const { BACKEND_URL: url, BACKEND_KEY: key } = process.env
const server = new Miniflare({
  modules: [{ type: 'ESModule', path: 'worker.js' }],
  compatibilityDate: '2026-07-01',
})
try {
  const response = await server.dispatchFetch('http://worker.test/', {
    method: 'POST',
    body: JSON.stringify({ url, key }),
  })
  console.log(await response.text())
} finally {
  await server.dispose()
}
