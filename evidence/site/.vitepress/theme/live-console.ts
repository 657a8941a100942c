// The console in a page of the documentation, with a choice of recordings.
import { withBase } from 'vitepress'
import { defineComponent, h, shallowRef } from 'vue'
import { consoleAddress, TRIES } from '../traces.ts'

export const LiveConsole = defineComponent({
  name: 'LiveConsole',
  setup() {
    const shown = shallowRef(TRIES[0])
    return () => {
      const chosen = shown.value
      if (!chosen) return undefined
      const address = withBase(consoleAddress(chosen))
      return h('div', { class: 'live-console' }, [
        h('div', { class: 'tries', role: 'group', 'aria-label': 'Recordings' }, [
          ...TRIES.map(one =>
            h(
              'button',
              {
                type: 'button',
                'aria-pressed': one === chosen ? 'true' : 'false',
                onClick: () => void (shown.value = one),
              },
              one.title,
            ),
          ),
          h('p', { class: 'about', 'aria-live': 'polite' }, chosen.about),
          h('a', { href: address, target: '_blank', rel: 'noopener' }, 'Open in its own tab'),
        ]),
        h('iframe', { key: chosen.id, src: address, title: `Console: ${chosen.title}` }),
      ])
    }
  },
})
