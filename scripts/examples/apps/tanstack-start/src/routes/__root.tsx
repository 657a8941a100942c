// The frame of all pages.
import { createRootRoute, HeadContent, Outlet, Scripts } from '@tanstack/react-router'

export const Route = createRootRoute({
  head: () => ({
    meta: [{ charSet: 'utf-8' }, { title: 'Notes' }],
    links: [{ rel: 'icon', href: 'data:,' }],
  }),
  component: Root,
})

function Root() {
  return (
    <html lang="en">
      <head>
        <HeadContent />
      </head>
      <body>
        <h1>Notes</h1>
        <Outlet />
        <Scripts />
      </body>
    </html>
  )
}
