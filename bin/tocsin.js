#!/usr/bin/env node
import { ensureBuilt } from './build.js';

process.setSourceMapsEnabled(true);
await ensureBuilt();
await import('../dist/main.js');
