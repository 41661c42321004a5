import { z } from 'zod'

// zod would test eval, which the page's policy blocks and the browser reports.
z.config({ jitless: true })
