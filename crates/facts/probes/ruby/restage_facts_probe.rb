# The probe for Ruby: required before the application by RUBYOPT. Gems are not loaded here, because the application
# chooses their versions later.

module RestageFacts
  SETTINGS = {
    facts: ENV["RESTAGE_FACTS"].to_s,
    want: ENV["RESTAGE_FACTS_WANT"].to_s.split(","),
    roots: ENV["RESTAGE_FACTS_ROOT"].to_s.split(":").reject(&:empty?).map { |root| (File.realpath(root) rescue root).chomp("/") + "/" }.sort_by { |root| -root.size }
  }
  # Ruby names a script as the command does.
  FOLDER = Dir.pwd
  LOCK = Mutex.new
  @open = []
  @described = {}

  # One request of a step.
  class Request
    attr_reader :step, :errors, :notes
    attr_accessor :overlaps, :before

    def initialize(step)
      @step = step
      @errors = {}
      @notes = []
      @overlaps = false
    end

    def error(problem)
      return unless SETTINGS[:want].include?("errors")

      fact = { "type" => problem.class.name.to_s, "message" => problem.message.to_s[0, 4096] }
      problem.backtrace.to_a.each do |line|
        file, number = line.match(/\A(.+?):(\d+)/)&.captures
        name = file && RestageFacts.relative(file)
        next unless name

        fact["file"] = name
        fact["line"] = number.to_i
        break
      end
      @errors[fact.values_at("type", "file", "line")] ||= fact
    end
  end

  class << self
    attr_accessor :lines

    # Runs a request; the outermost layer that is known counts.
    def watch(step)
      return yield(nil) if step.nil? || Thread.current[:restage_facts]

      request = start(step)
      begin
        yield request
      rescue StandardError => problem
        request.error(problem) unless defined?(WEBrick::HTTPStatus::Status) && problem.is_a?(WEBrick::HTTPStatus::Status)
        raise
      ensure
        finish(request)
      end
    end

    def relative(file)
      file = File.expand_path(file, FOLDER)
      root = SETTINGS[:roots].find { |folder| file.start_with?(folder) }
      return nil if root.nil?

      name = file[root.size..]
      parts = name.split("/")
      (parts & %w[gems vendor node_modules]).any? && parts.each_cons(2).any? { |pair| pair == %w[vendor bundle] || pair[0] == "gems" } ? nil : name
    end

    private

    def start(step)
      request = Request.new(step)
      LOCK.synchronize do
        request.overlaps = !@open.empty?
        @open.each { |other| other.overlaps = true }
        @open << request
      end
      Thread.current[:restage_facts] = request
      request.before = counts if lines
      request
    end

    def finish(request)
      ran = lines && counts
      LOCK.synchronize { @open.delete(request) }
      Thread.current[:restage_facts] = nil
      text = record(request, ran)
      File.open(SETTINGS[:facts], File::WRONLY | File::APPEND | File::CREAT, 0o666) do |file|
        file.flock(File::LOCK_EX)
        file.syswrite(text)
      end
    rescue StandardError, LoadError
      # Nothing of it may reach the application.
    end

    def counts
      Coverage.peek_result.select { |file, _| relative(file) }
    end

    def record(request, ran)
      require "json"
      made = { "v" => 1, "step" => request.step, "runtime" => "ruby #{RUBY_VERSION}" }
      outlines = +""
      want = SETTINGS[:want]
      if ran && request.overlaps
        request.notes << "no lines: requests were answered at the same time, and Ruby does not tell whose a line is"
      elsif ran
        found = {}
        ran.each do |file, now|
          before = request.before.dig(file, :lines) || []
          hit = now[:lines].each_index.select { |at| now[:lines][at] && now[:lines][at] > (before[at] || 0) }.map { |at| at + 1 }
          next if hit.empty?

          found[relative(file)] = runs(hit)
          outlines << outline(file, now)
        end
        made["lines"] = found unless found.empty?
      elsif want.include?("lines")
        request.notes << "no lines: the application measures its own coverage"
      end
      if ran && (script = relative($PROGRAM_NAME))
        request.notes << "no lines of #{script}: Ruby does not tell them of the script that it was started with"
      end
      request.notes << "no branches: the probe for Ruby does not see them" if want.include?("branches")
      request.notes << "no statements: the probe for Ruby does not see them" if want.include?("sql")
      request.notes << "no session values: the probe for Ruby does not see them" if want.include?("session")
      made["errors"] = request.errors.values unless request.errors.empty?
      made["notes"] = request.notes unless request.notes.empty?
      outlines + JSON.generate(made) + "\n"
    end

    def outline(file, now)
      return "" if @described[file]

      require "digest"
      @described[file] = true
      functions = now[:methods].keys.map { |owner, name, first, _, last, _| { "name" => "#{owner_name(owner)}#{name}", "first" => first, "last" => last } }
      lines = now[:lines].each_index.select { |at| now[:lines][at] }.map { |at| at + 1 }
      JSON.generate(
        "v" => 1, "file" => relative(file), "digest" => Digest::SHA256.file(File.expand_path(file, FOLDER)).hexdigest,
        "lines" => runs(lines), "functions" => functions.uniq.sort_by { |function| function.values_at("first", "last") }
      ) + "\n"
    end

    def owner_name(owner)
      name = Module.instance_method(:name).bind_call(owner)
      name.nil? || name == "Object" ? "" : "#{name}#"
    end

    def runs(numbers)
      numbers.slice_when { |before, after| after != before + 1 }.map { |run| run.size == 1 ? run[0] : [run[0], run[-1]] }
    end
  end

  # In front of what takes a request: a Rack application.
  module Rack
    def call(env, *)
      return super unless env.is_a?(Hash)

      RestageFacts.watch(env.delete("HTTP_RESTAGE_STEP")) do |request|
        answer = super
        # What the framework showed as an error page.
        problem = env["action_dispatch.exception"] || env["sinatra.error"]
        request.error(problem) if request && problem.is_a?(Exception)
        answer
      end
    end
  end

  # What `config.ru` makes.
  module RackBuilder
    def to_app
      super.tap { |app| app.singleton_class.prepend(Rack) unless app.frozen? }
    end
  end

  # WEBrick without Rack.
  module Webrick
    def service(request, response)
      step = request["Restage-Step"]
      request.header.delete("restage-step")
      request.raw_header.reject! { |line| line =~ /\Arestage-step:/i }
      RestageFacts.watch(step) { super }
    end
  end

  CLASSES = { "WEBrick::HTTPServer" => Webrick, "Rack::Builder" => RackBuilder, "Rails::Engine" => Rack, "Sinatra::Base" => Rack }.freeze

  unless SETTINGS[:facts].empty?
    if SETTINGS[:want].include?("lines")
      require "coverage"
      if !Coverage.respond_to?(:running?) || !Coverage.running?
        Coverage.start(lines: true, methods: true)
        self.lines = true
      end
    end
    # Classes are changed when they have been defined.
    TracePoint.new(:end) do |point|
      name = Module.instance_method(:name).bind_call(point.self)
      front = CLASSES[name]
      point.self.prepend(front) if front && !point.self.ancestors.include?(front)
    end.enable
  end
rescue StandardError, LoadError
  # Without facts, then: the application goes on.
end
