require "webrick"
require_relative "lib"

server = WEBrick::HTTPServer.new(BindAddress: "127.0.0.1", Port: ARGV[0].to_i, AccessLog: [], Logger: WEBrick::Log.new(File::NULL))
server.mount_proc("/") do |request, response|
  fail_page if request.path == "/fail"
  response.body = "#{price(1)} #{request['Restage-Step'].inspect}\n"
end
server.start
