// Builds the viewer: the console as one HTML file, into which `chartroom export --to html` puts a recording.
import { createHash } from 'node:crypto'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { gzip } from 'node:zlib'
import optimizeLocales from '@react-aria/optimize-locales-plugin'
import react from '@vitejs/plugin-react'
import { build, type Plugin } from 'vite'
import { ensureGenerated } from './generated.ts'
import { installedProgram } from './package-program.ts'
import { root } from './tool.ts'

/** Name of the file in the package's folder. */
export const VIEWER = 'viewer.html'

const SOURCES = join(root, 'src/ui/console')

/** A worker would need a separate file. */
const workersInPage: Plugin = {
  name: 'workers-in-page',
  enforce: 'pre',
  resolveId: source =>
    /(?:^|\/)\.\.?\/workers\.ts$/.test(source) ? join(SOURCES, 'viewer/in-page-workers.ts') : null,
}

/** Writes the viewer into `out`. */
export async function buildViewer(out: string): Promise<void> {
  await ensureGenerated()
  const built = await build({
    configFile: false,
    root,
    logLevel: 'error',
    define: { 'process.env.NODE_ENV': '"production"' },
    publicDir: false,
    plugins: [installedProgram, workersInPage, optimizeLocales.vite({ locales: ['en-US'] }), react()],
    build: {
      write: false,
      target: 'es2023',
      cssCodeSplit: false,
      modulePreload: false,
      rollupOptions: {
        input: join(SOURCES, 'viewer/page.tsx'),
        output: { format: 'iife', codeSplitting: false },
      },
    },
  })
  const files = [built].flat().flatMap(part => ('output' in part ? part.output : []))
  const scripts = files.flatMap(file => (file.type === 'chunk' ? [file.code] : []))
  const styles = files.flatMap(file =>
    file.type === 'asset' && file.fileName.endsWith('.css') ? [String(file.source)] : [],
  )
  const [code = '', ...others] = scripts
  if (others.length > 0 || files.length !== 2)
    throw new Error(`The viewer has more than one file: ${files.map(({ fileName }) => fileName).join(', ')}.`)
  await writeFile(join(out, VIEWER), await template(code, styles.join('\n')))
}

const packed = promisify(gzip)

/**
 * Packed text as an element: five signs for four bytes, from `#` on, which takes a quarter more than the bytes instead
 * of a third. `<` is written as `x`, so that nothing is markup.
 */
async function packedElement(id: string, text: string): Promise<string> {
  const bytes = await packed(text, { level: 9 })
  const padded = Buffer.alloc(Math.ceil(bytes.length / 4) * 4)
  bytes.copy(padded)
  const signs: number[] = []
  for (let at = 0; at < padded.length; at += 4) {
    const value = padded.readUInt32BE(at)
    for (let power = 85 ** 4; power >= 1; power /= 85) signs.push(35 + (Math.floor(value / power) % 85))
  }
  const content = Buffer.from(signs).toString('latin1').replaceAll('<', 'x')
  return `<script type="text/plain" id="${id}" data-size="${bytes.length}">${content}</script>`
}

const hashOf = (text: string) => `'sha256-${createHash('sha256').update(text).digest('base64')}'`

/** Unpacks the code, which is four times as small this way, and runs it. */
const BOOT = `
const unpack = id => {
  const { textContent: text, dataset } = document.getElementById(id)
  const view = new DataView(new ArrayBuffer((text.length / 5) * 4))
  for (let at = 0; at < text.length; at += 5) {
    let value = 0
    for (let n = at; n < at + 5; n++) value = value * 85 + (text[n] === 'x' ? 60 : text.charCodeAt(n)) - 35
    view.setUint32((at / 5) * 4, value)
  }
  return new Response(new Blob([view.buffer.slice(0, Number(dataset.size))]).stream().pipeThrough(new DecompressionStream('gzip'))).text()
}
const add = (name, text) => {
  const element = document.createElement(name)
  element.textContent = text
  document.head.append(element)
}
Promise.all([unpack('styles'), unpack('code')]).then(
  ([styles, code]) => {
    add('style', styles)
    add('script', code)
  },
  error => {
    document.getElementById('root').textContent = 'The viewer could not be unpacked: ' + error.message
  },
)
`

/** Nothing can be loaded; only the viewer's own code runs. */
async function template(code: string, styles: string): Promise<string> {
  const policy = [
    "default-src 'none'",
    `script-src ${hashOf(BOOT)} ${hashOf(code)}`,
    "style-src 'unsafe-inline'",
    'img-src data: blob:',
    "base-uri 'none'",
    "form-action 'none'",
  ].join('; ')
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${policy}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<link rel="icon" href="data:,">
<title>{{title}}</title>
<style>html, body, #root { height: 100%; margin: 0; }</style>
</head>
<body>
<div id="root"></div>
<noscript>The viewer needs JavaScript.</noscript>
<script type="text/plain" id="trace" data-name="{{name}}">{{trace}}</script>
${await packedElement('styles', styles)}
${await packedElement('code', code)}
<script>${BOOT}</script>
</body>
</html>
`
}
