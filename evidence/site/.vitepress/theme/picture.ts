// A picture that links to itself, because screenshots and charts are larger than the text is wide.
import { defineComponent, h } from 'vue'

export const Picture = defineComponent({
  name: 'Picture',
  props: {
    src: { type: String, required: true },
    alt: { type: String, required: true },
    width: { type: String, required: true },
    height: { type: String, required: true },
  },
  setup: ({ src, alt, width, height }) => {
    const kind = src.endsWith('.svg') ? 'chart' : 'screenshot'
    return () =>
      h('a', { class: `picture ${kind}`, href: src, target: '_blank', title: 'Open in full size' }, [
        h('img', { src, alt, width, height, loading: 'lazy', decoding: 'async' }),
      ])
  },
})
