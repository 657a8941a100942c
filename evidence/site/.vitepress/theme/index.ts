// The theme: VitePress's own without web fonts, in the colors of the product, with pictures and the live console.
import type { Theme } from 'vitepress'
import theme from 'vitepress/theme-without-fonts'
import { LiveConsole } from './live-console.ts'
import { Picture } from './picture.ts'
import './style.css'

export default {
  extends: theme,
  enhanceApp({ app }) {
    app.component('LiveConsole', LiveConsole)
    app.component('Picture', Picture)
  },
} satisfies Theme
