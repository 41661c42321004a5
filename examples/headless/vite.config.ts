import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'

/** `npx vite examples/headless`: the packages are those of the shop itself. */
export default defineConfig({ root: import.meta.dirname, plugins: [react()] })
