// The documentation site, built from the Markdown files in docs by `npm run docs:site`.
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { defineConfig } from 'vitepress'
import { anchorOf } from './addresses.ts'
import { installApiLinks } from './api.ts'
import { installSiteLinks } from './links.ts'
import { REWRITES, sidebarOf } from './pages.ts'
import { reference } from './reference.ts'
import { renderForSearch } from './search.ts'

const root = fileURLToPath(new URL('../../..', import.meta.url))
const { description, version } = JSON.parse(readFileSync(`${root}package.json`, 'utf8')) as {
  readonly description: string
  readonly version: string
}

export default defineConfig({
  title: 'Chartroom',
  description,
  lang: 'en-US',
  srcDir: '../../docs',
  outDir: '../../dist-site',
  cacheDir: '../../node_modules/.cache/docs-site',
  rewrites: REWRITES,
  head: [
    ['meta', { name: 'theme-color', content: '#f7f9fa', media: '(prefers-color-scheme: light)' }],
    ['meta', { name: 'theme-color', content: '#11191d', media: '(prefers-color-scheme: dark)' }],
  ],
  transformHead: ({ siteConfig: { site }, pageData: { relativePath } }) => [
    ['link', { rel: 'icon', href: `${site.base}favicon.svg`, type: 'image/svg+xml' }],
    ['link', { rel: 'alternate', href: `${site.base}${relativePath}`, type: 'text/markdown' }],
  ],
  markdown: {
    theme: { light: 'github-light-high-contrast', dark: 'github-dark-default' },
    anchor: { slugify: anchorOf },
    config(md) {
      installSiteLinks(md, root)
      installApiLinks(md, reference)
    },
  },
  vue: { template: { transformAssetUrls: { Picture: ['src'] } } },
  vite: {
    // The console, its recordings and the icon; filled by evidence/docs-site.ts.
    publicDir: `${root}node_modules/.cache/docs-site-public`,
    build: {
      // Browsers refuse to open a picture whose address is its data.
      assetsInlineLimit: 0,
      chunkSizeWarningLimit: 2_000,
    },
  },
  themeConfig: {
    nav: [
      { text: 'Guide', link: '/guide/from-supabase-js', activeMatch: '^/guide/' },
      { text: 'API', link: '/api/', activeMatch: '^/api/' },
      { text: 'Machines', link: '/machines/', activeMatch: '^/machines/' },
      { text: 'Try the console', link: '/try' },
    ],
    sidebar: sidebarOf(`${root}docs`, reference),
    outline: { level: [2, 3], label: 'On this page' },
    siteTitle: `Chartroom ${version}`,
    search: { provider: 'local', options: { _render: renderForSearch } },
    externalLinkIcon: false,
  },
})
