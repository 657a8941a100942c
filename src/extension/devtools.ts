// Loaded by the developer tools of each page: adds the panel.
import { devtools } from './inspected-page.ts'

devtools().panels.create('Chartroom', '', 'panel.html')
