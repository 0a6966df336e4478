// Loaded before the program by NODE_OPTIONS: whoever reads a certain word dies of it, as of something nobody has thought of yet.
const { parse } = JSON;
JSON.parse = (text, ...rest) => {
  // The page of a storage is another thing than the messages on it.
  if (String(text).includes('deadly') && !String(text).startsWith('{"result"')) process.kill(process.pid, 'SIGKILL');
  return parse(text, ...rest);
};

const { Hash } = require('node:crypto');
const { update } = Hash.prototype;
Hash.prototype.update = function (data, ...rest) {
  if (typeof data === 'string' && data.includes('deadly realm')) process.kill(process.pid, 'SIGKILL');
  return update.call(this, data, ...rest);
};

const threads = require('node:worker_threads');
threads.Worker = class extends threads.Worker {
  constructor(file, options) {
    if (String(file).endsWith('analyst.js')) process.kill(process.pid, 'SIGKILL');
    super(file, options);
  }
};
require('node:module').syncBuiltinESMExports();
