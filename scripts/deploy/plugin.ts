// Turns the built app into a site for any static host: adds the policy to each page, and files for headers
// and redirects.
import type { Plugin } from 'vite'
import { META_POLICY, SITE_HEADERS } from '../../src/cli/start/site-policy.ts'

/** These files never change: their names contain a content hash. */
const FOR_EVER = 'public, max-age=31536000, immutable'

/** Headers in the format of Netlify and Cloudflare Pages. */
const headersFile = (base: string) =>
  [
    `${base}*`,
    ...Object.entries(SITE_HEADERS).map(([name, value]) => `  ${name}: ${value}`),
    `${base}assets/*`,
    `  Cache-Control: ${FOR_EVER}`,
    '',
  ].join('\n')

/**
 * The pages' inline style, which sets the layer order while style sheets load one by one; a built sheet sets
 * it itself.
 */
const LAYERS = /\s*<!--(?:(?!-->)[^])*-->\s*<style>\s*@layer[^{}]*<\/style>/
export const LAYER_ORDER = '@layer reset,tokens,base,widgets,layout;'

const textOf = (source: string | Uint8Array) =>
  typeof source === 'string' ? source : new TextDecoder().decode(source)

/** For `vite build` only: the development server needs its inline scripts. */
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
      // Vite's own plugins write the pages in this step.
      order: 'post',
      handler(_options, bundle) {
        for (const file of Object.values(bundle))
          if (file.type === 'asset' && file.fileName.endsWith('.css'))
            file.source = LAYER_ORDER + textOf(file.source)
        const page = bundle['index.html']
        // Hosts without redirect rules, such as GitHub Pages, serve this page for every path that is not a
        // file.
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
