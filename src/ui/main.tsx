// Starts the workbench in the page.
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import './widgets/tokens.css'
import './widgets/base.css'
import { App } from './app/app.tsx'

const root = document.getElementById('root')
if (root === null) throw new Error('index.html has no element #root')
createRoot(root).render(
  <StrictMode>
    <App />
  </StrictMode>,
)
