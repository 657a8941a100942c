// Makes of the built app a site for any static host: its policy in each page, and what hosts read of headers and paths.
import type { Plugin } from 'vite'
import { META_POLICY, SITE_HEADERS } from './policy.ts'

/** Once they are there they never change: their names say what is in them. */
const FOR_EVER = 'public, max-age=31536000, immutable'

/** Headers as Netlify and Cloudflare Pages read them. */
const headersFile = (base: string) =>
  [
    `${base}*`,
    ...Object.entries(SITE_HEADERS).map(([name, value]) => `  ${name}: ${value}`),
    `${base}assets/*`,
    `  Cache-Control: ${FOR_EVER}`,
    '',
  ].join('\n')

/** The pages' own style, which puts the layers in order while sheets come one by one; a built sheet says it itself. */
const LAYERS = /\s*<!--(?:(?!-->)[^])*-->\s*<style>\s*@layer[^{}]*<\/style>/
const ORDER = '@layer reset,tokens,base,widgets,layout;'

const textOf = (source: string | Uint8Array) =>
  typeof source === 'string' ? source : new TextDecoder().decode(source)

/** For `vite build` alone: the development server needs inline scripts of its own. */
export function staticSite(): Plugin {
  let base = '/'
  return {
    name: 'chartroom-static-site',
    apply: 'build',
    configResolved(config) {
      base = config.base
    },
    transformIndexHtml: {
      order: 'post',
      handler: html => ({
        html: html.replace(LAYERS, ''),
        tags: [
          {
            tag: 'meta',
            attrs: { 'http-equiv': 'Content-Security-Policy', content: META_POLICY },
            injectTo: 'head-prepend',
          },
        ],
      }),
    },
    generateBundle: {
      // The pages are written in this step, by Vite's own plugins.
      order: 'post',
      handler(_options, bundle) {
        for (const file of Object.values(bundle))
          if (file.type === 'asset' && file.fileName.endsWith('.css'))
            file.source = ORDER + textOf(file.source)
        const page = bundle['index.html']
        // Hosts that know no other rule show it for every address that is no file: GitHub Pages and many more.
        if (page?.type === 'asset')
          this.emitFile({ type: 'asset', fileName: '404.html', source: page.source })
        this.emitFile({ type: 'asset', fileName: '_headers', source: headersFile(base) })
        this.emitFile({
          type: 'asset',
          fileName: '_redirects',
          source: `${base}* ${base}index.html 200\n`,
        })
      },
    },
  }
}
