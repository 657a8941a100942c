// The page: the app, and in development the console below it.
import { lazy, StrictMode, Suspense } from 'react'
import { createRoot } from 'react-dom/client'
import { ChartroomProvider } from 'chartroom/react'
import { App } from './app'
import { client } from './client'
import './style.css'

const DevConsole = import.meta.env.DEV ? lazy(() => import('./dev-console')) : undefined

const root = document.getElementById('root')
if (!root) throw new Error('The page has no element for the app')
createRoot(root).render(
  <StrictMode>
    <ChartroomProvider client={client}>
      <App />
    </ChartroomProvider>
    {DevConsole && (
      <Suspense>
        <DevConsole />
      </Suspense>
    )}
  </StrictMode>,
)
