// Builds the bundled parts of the package: the console for React apps, the page for `chartroom serve` and for
// separate windows, and what the Vite plugin adds to pages.
import { readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import optimizeLocales from '@react-aria/optimize-locales-plugin'
import react from '@vitejs/plugin-react'
import { build, esmExternalRequirePlugin, type InlineConfig, type Plugin } from 'vite'
import { installedProgram } from './package-program.ts'
import { scopedStyles } from './package-styles.ts'
import { ensureGenerated } from './generated.ts'
import { root } from './tool.ts'

const shared: InlineConfig = {
  configFile: false,
  root,
  logLevel: 'error',
  define: { 'process.env.NODE_ENV': '"production"' },
  publicDir: false,
}
const plugins = () => [installedProgram, optimizeLocales.vite({ locales: ['en-US'] }), react()]

const REACT = /^react(-dom)?(\/|$)/

/** Bundles libraries too, except for React and modules that the package already contains. */
export async function buildConsole(out: string): Promise<void> {
  const written = join(out, 'ui/bundle')
  await build({
    ...shared,
    base: './',
    // Some of the libraries call require('react').
    plugins: [...plugins(), besides, esmExternalRequirePlugin({ external: [REACT] })],
    build: {
      outDir: written,
      target: 'es2023',
      cssCodeSplit: false,
      cssMinify: false,
      // Avoids Vite's helper for lazy-loaded modules, which uses the document.
      lib: { entry: join(root, 'src/public/devtools/console.ts'), formats: ['es'], fileName: 'console' },
      rollupOptions: { output: { chunkFileNames: '[name]-[hash].js' } },
    },
  })
  await putStyles(written)
  await writeFile(join(out, 'public/devtools/console.js'), "export * from '../../ui/bundle/console.js'\n")
  await rm(join(out, 'public/devtools/console.js.map'))
}

/** What pages of an app load from the Vite plugin: with all libraries except for XState, which the app has. */
export async function buildVitePage(out: string): Promise<void> {
  const written = join(out, 'vite/page')
  const entry = (name: string) => join(root, `src/vite/page/${name}.ts`)
  await buildForProduction({
    ...shared,
    base: './',
    plugins: plugins(),
    build: {
      outDir: written,
      target: 'es2023',
      cssCodeSplit: false,
      cssMinify: false,
      lib: { entry: { client: entry('client'), window: entry('window') }, formats: ['es'] },
      rollupOptions: {
        external: [/^xstate(\/|$)/],
        output: { entryFileNames: '[name].js', chunkFileNames: '[name]-[hash].js' },
      },
    },
  })
  await putStyles(written)
}

/** Builds the same in a test, where the environment is another one and JSX would be compiled for development. */
export async function buildForProduction(config: InlineConfig): Promise<void> {
  await ensureGenerated()
  const { NODE_ENV } = process.env
  process.env['NODE_ENV'] = 'production'
  try {
    await build(config)
  } finally {
    if (NODE_ENV === undefined) delete process.env['NODE_ENV']
    else process.env['NODE_ENV'] = NODE_ENV
  }
}

/** The complete page. Its addresses are relative, so that an app can serve it from any folder. */
export async function buildPage(out: string): Promise<void> {
  await build({
    ...shared,
    base: './',
    plugins: plugins(),
    build: {
      outDir: join(out, 'console-page'),
      target: 'es2023',
      cssCodeSplit: false,
      rollupOptions: { input: join(root, 'console.html') },
    },
  })
}

/**
 * The control package stays outside of the bundle, so that an app that imports it too loads it once.
 */
const besides: Plugin = {
  name: 'besides',
  enforce: 'pre',
  resolveId: source =>
    source.endsWith('/services/control/index.ts')
      ? { id: '../../services/control/index.js', external: true }
      : null,
}

async function putStyles(folder: string): Promise<void> {
  const files = await readdir(folder, { recursive: true })
  const sheets = files.filter(file => file.endsWith('.css'))
  const css = await Promise.all(sheets.map(file => readFile(join(folder, file), 'utf8')))
  const styles = JSON.stringify(scopedStyles(css.join('\n'), '.chartroom'))
  let places = 0
  for (const file of files.filter(name => name.endsWith('.js'))) {
    const text = await readFile(join(folder, file), 'utf8')
    const filled = text.replaceAll(STYLES_PLACE, () => {
      places += 1
      return styles
    })
    if (filled !== text) await writeFile(join(folder, file), filled)
  }
  if (places !== 1)
    throw new Error(`The bundle has ${places} placeholders for the console's styles, not one.`)
  await Promise.all(sheets.map(file => rm(join(folder, file))))
}

/** Still recognizable after minification. */
const STYLES_PLACE = /["'`]chartroom-console-styles["'`]/g
